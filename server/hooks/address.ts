const ports = 'the port must be a number from 1 to 65535'
const credentials =
  'it must not contain a username or password, which anyone who sees the URL could read. Send them in the ' +
  'authorization header, as "Basic" followed by the base64 of username:password'

/**
 * Returns the host and port of a webhook URL, such as `ci.example.com:443`. If it is not a complete http or
 * https URL, returns the problem instead, or undefined as the problem if there is nothing more specific to
 * say.
 */
export function readAddress(
  address: string,
): { target: string; problem?: never } | { target?: never; problem: string | undefined } {
  // `URL` accepts malformed URLs, such as ones with line breaks or without "//".
  const authority = /^https?:\/\/([^\s\\/?#]+)[^\s\\]*$/i.exec(address)?.[1]
  if (authority === undefined) return { problem: undefined }
  if (authority.includes('@')) return { problem: credentials }
  const [, port = ''] = /:([^:\]]+)$/.exec(authority) ?? []
  if (port && !isPort(port)) return { problem: ports }
  if (!URL.canParse(address)) return { problem: undefined }
  const { hostname, protocol } = new URL(address)
  return { target: `${hostname}:${Number(port) || (protocol === 'https:' ? 443 : 80)}` }
}

const isPort = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
