/** A ref with its full name, decoded by `textFromGit`, and the ID of the object that it points to. */
export interface Ref {
  ref: string
  id: string
}

/** Returns the short name of a branch or tag, such as `main` for `refs/heads/main`; any other ref is unchanged. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')

/** Whether a text is a complete object ID. */
export const isObjectId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** Whether an object ID means "none": all zeros, as in a push that creates or deletes a ref, or empty. */
export const isZeroId = (id: string): boolean => /^0*$/.test(id)
