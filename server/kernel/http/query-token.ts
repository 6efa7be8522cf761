const names = ['token', 'access_token']

/** Returns the token in `?token=` or `?access_token=`, which old clients still send. */
export function queryToken(query: URLSearchParams): string | null {
  return query.get('token') || query.get('access_token')
}

/**
 * Returns a query string without the access token, which must not appear in response headers or messages,
 * because these can be logged or cached.
 */
export function withoutToken(query: string): string {
  const parameters = new URLSearchParams(query)
  if (!names.some(name => parameters.has(name))) return query
  for (const name of names) parameters.delete(name)
  return parameters.toString()
}
