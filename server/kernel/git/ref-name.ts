const forbidden = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|^[./-]|[./]$/u

export const maxRefNameBytes = 1000

/**
 * Returns whether a text is a valid name of a branch or tag, without `refs/heads/` or `refs/tags/`, by the
 * rules of `git check-ref-format --branch`. Valid names cannot be read as an option or as a revision
 * expression.
 */
export function isRefName(name: string): boolean {
  return (
    name !== '' &&
    name !== '@' &&
    name !== 'HEAD' &&
    name.isWellFormed() &&
    Buffer.byteLength(name) <= maxRefNameBytes &&
    !forbidden.test(name)
  )
}
