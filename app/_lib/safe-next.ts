const here = 'http://here.invalid'

/**
 * Where to go after signing in: a path of this site, or the start. "//host", "/\host" and the like would leave it,
 * so the text is read the way a browser reads it and must stay on the made-up host.
 */
export function safeNext(next: string): string {
  if (!/^\/(?![/\\])/.test(next) || !URL.canParse(next, here)) return '/'
  const url = new URL(next, here)
  return url.origin === here ? url.pathname + url.search + url.hash : '/'
}
