/**
 * Did our own page send this request? The guard against cross-site request forgery for cookie sessions:
 * modern browsers state it in Sec-Fetch-Site, older ones in Origin; without either it is refused.
 */
export function isSameOrigin(headers: Headers, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const origin = headers.get('origin')
  if (!origin || !URL.canParse(origin)) return false
  return origin === baseUrl || new URL(origin).host === headers.get('host')
}
