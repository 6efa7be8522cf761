const forbidden = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|^[./-]|[./]$/u

const maxBytes = 1000

/**
 * May this be the name of a branch or tag, without `refs/heads/` or `refs/tags/`? The rules of `git check-ref-format
 * --branch`. What passes cannot be read as an option or as an expression about commits.
 */
export function isRefName(name: string): boolean {
  return (
    name !== '' &&
    name !== '@' &&
    name !== 'HEAD' &&
    name.isWellFormed() &&
    Buffer.byteLength(name) <= maxBytes &&
    !forbidden.test(name)
  )
}
