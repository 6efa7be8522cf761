const here = 'http://here.invalid'
const oneSlashFirst = /^\/(?![/\\])/

/**
 * Where to go after signing in: a path of this site, or the start. "//host", "/\host" and the like would leave it,
 * so the text is read the way a browser reads it and must stay on the made-up host.
 */
export function safeNext(next: string): string {
  if (!oneSlashFirst.test(next) || !URL.canParse(next, here)) return '/'
  const url = new URL(next, here)
  const path = url.pathname + url.search + url.hash
  // Reading drops dot segments, so "/.//host" is the path "//host" by now.
  return url.origin === here && oneSlashFirst.test(path) ? path : '/'
}
