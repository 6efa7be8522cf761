/** Encodes a name such as that of a tag as part of a URL path. The slashes in it separate segments of the path. */
export const encodePath = (name: string): string =>
  name.toWellFormed().split('/').map(encodeURIComponent).join('/')
