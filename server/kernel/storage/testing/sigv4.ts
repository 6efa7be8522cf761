import { createHash, createHmac } from 'node:crypto'

/** An HTTP request as an S3 server receives it. Header names are lowercase. */
export interface SignedRequest {
  method: string
  url: string
  headers: Record<string, string | string[] | undefined>
}

/** Verifies an AWS Signature Version 4 in the headers or the query string, including its expiry. */
export function isSignedWith(secret: string, { method, url, headers }: SignedRequest, now: Date): boolean {
  const { pathname, searchParams } = new URL(url, 'http://host')
  const field = (name: string) => searchParams.get(`X-Amz-${name}`)
  const inHeader = parseAuthorization(String(headers.authorization ?? ''))
  const credential = inHeader.Credential ?? field('Credential') ?? ''
  const signedNames = (inHeader.SignedHeaders ?? field('SignedHeaders') ?? '').split(';')
  const signature = inHeader.Signature ?? field('Signature')
  const time = String(headers['x-amz-date'] ?? field('Date'))
  const [, ...scope] = credential.split('/')
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(pair => pair.map(encode).join('='))
    .sort()
  const canonical = [
    method,
    pathname,
    query.join('&'),
    ...signedNames.map(name => `${name}:${String(headers[name]).trim()}`),
    '',
    signedNames.join(';'),
    inHeader.Signature ? headers['x-amz-content-sha256'] : 'UNSIGNED-PAYLOAD',
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((key, word) => hmac(key, word), `AWS4${secret}`)
  const age = now.getTime() - timeOf(time).getTime()
  const lifetime = Number(field('Expires') ?? 900) * 1000
  return signature === hmac(key, toSign).toString('hex') && age <= lifetime && signedNames.includes('host')
}

function parseAuthorization(text: string): Partial<Record<string, string>> {
  const fields = text.replace(/^AWS4-HMAC-SHA256 /, '').split(/, */)
  return Object.fromEntries(fields.map(each => each.split('=', 2)))
}

// 20261122T120000Z
const timeOf = (text: string): Date =>
  new Date(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
