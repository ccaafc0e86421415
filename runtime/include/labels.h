/* labels.h: labels as LTest writes them. A label is covered when its predicate holds where it
 * stands: pc_label(predicate), pc_label(predicate, id) or pc_label(predicate, id, "tag").
 *
 * Declared as functions so that the calls survive preprocessing; Labrys replaces them. */
#ifndef LABRYS_LABELS_H
#define LABRYS_LABELS_H

#undef pc_label
void pc_label(_Bool predicate, ...);
void pc_label_bindings(_Bool predicate, ...);
void pc_label_sequence(_Bool predicate, ...);
void pc_label_sequence_condition(_Bool predicate, ...);

#endif
