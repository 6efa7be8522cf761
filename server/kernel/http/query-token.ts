const names = ['token', 'access_token']

/** The token in `?token=` or `?access_token=`, which old clients still send. */
export function queryToken(query: URLSearchParams): string | null {
  return query.get('token') || query.get('access_token')
}

/** The query without its token, which must not travel on in headers and messages that logs and caches keep. */
export function withoutToken(query: string): string {
  const parameters = new URLSearchParams(query)
  if (!names.some(name => parameters.has(name))) return query
  for (const name of names) parameters.delete(name)
  return parameters.toString()
}
