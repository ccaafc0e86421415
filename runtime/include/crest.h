/* crest.h: the input macros of CREST. Each takes a variable, not a pointer. */
#ifndef LABRYS_CREST_H
#define LABRYS_CREST_H

#define CREST_unsigned_char(x) __CrestUChar(&(x))
#define CREST_unsigned_short(x) __CrestUShort(&(x))
#define CREST_unsigned_int(x) __CrestUInt(&(x))
#define CREST_char(x) __CrestChar(&(x))
#define CREST_short(x) __CrestShort(&(x))
#define CREST_int(x) __CrestInt(&(x))

extern void __CrestUChar(unsigned char *x);
extern void __CrestUShort(unsigned short *x);
extern void __CrestUInt(unsigned int *x);
extern void __CrestChar(char *x);
extern void __CrestShort(short *x);
extern void __CrestInt(int *x);

#endif
