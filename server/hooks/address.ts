/**
 * The host and port that an address leads to, such as `ci.example.com:443`; undefined for a text that is no whole address of
 * http or https.
 */
export function targetOf(address: string): string | undefined {
  // The parser forgives what is not written as an address, such as line breaks in it and a missing "//".
  if (!/^https?:\/\/[^\s\\]+$/i.test(address) || !URL.canParse(address)) return undefined
  const { hostname, port, protocol } = new URL(address)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
