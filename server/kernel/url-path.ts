/** Encodes a name, such as a tag, as part of a URL path. Slashes in the name remain path separators. */
export const encodePath = (name: string): string =>
  name.toWellFormed().split('/').map(encodeURIComponent).join('/')
