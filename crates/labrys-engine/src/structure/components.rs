//! Strongly connected components, after Tarjan, without recursion.

/// The component of each node.
pub(crate) struct Components {
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
}

/// Components are numbered so that every edge leads to a component with the same or a smaller
/// number.
pub(crate) fn components(successors: &[Vec<u32>]) -> Components {
    const NONE: u32 = u32::MAX;
    let count = successors.len();
    let mut of = vec![NONE; count];
    let mut index = vec![NONE; count];
    let mut low = vec![0u32; count];
    let mut found = 0u32;
    let mut next_index = 0u32;
    let mut members: Vec<u32> = Vec::new();
    let mut walk: Vec<(u32, usize)> = Vec::new();
    for root in 0..count as u32 {
        if index[root as usize] != NONE {
            continue;
        }
        walk.push((root, 0));
        while let Some((node, edge)) = walk.last_mut() {
            let at = *node as usize;
            if *edge == 0 {
                index[at] = next_index;
                low[at] = next_index;
                next_index += 1;
                members.push(*node);
            }
            if let Some(&next) = successors[at].get(*edge) {
                *edge += 1;
                if index[next as usize] == NONE {
                    walk.push((next, 0));
                } else if of[next as usize] == NONE {
                    low[at] = low[at].min(index[next as usize]);
                }
                continue;
            }
            let (node, _) = (*node, walk.pop());
            let at = node as usize;
            if let Some((parent, _)) = walk.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[at]);
            }
            if low[at] == index[at] {
                while let Some(member) = members.pop() {
                    of[member as usize] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    Components {
        of,
        count: found as usize,
    }
}
