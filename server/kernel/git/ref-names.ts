/** Returns the short name of a branch or tag, such as `main` for `refs/heads/main`; any other ref is unchanged. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')

/** Whether an object ID means "none": all zeros, as in a push that creates or deletes a ref, or empty. */
export const isZeroId = (id: string): boolean => /^0*$/.test(id)
