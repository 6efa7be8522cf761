/** What a person calls an algorithm. */
const names: Record<string, string> = {
  ed25519: 'Ed25519',
  ecdsa: 'ECDSA',
  rsa: 'RSA',
  dsa: 'DSA',
  'ed25519-sk': 'Ed25519 security key',
  'ecdsa-sk': 'ECDSA security key',
}

const kinds: Record<string, readonly [algorithm: string, bits: number]> = {
  'ssh-ed25519': ['ed25519', 256],
  'ecdsa-sha2-nistp256': ['ecdsa', 256],
  'ecdsa-sha2-nistp384': ['ecdsa', 384],
  'ecdsa-sha2-nistp521': ['ecdsa', 521],
  'sk-ssh-ed25519@openssh.com': ['ed25519-sk', 256],
  'sk-ecdsa-sha2-nistp256@openssh.com': ['ecdsa-sk', 256],
}

export function describeKind(algorithm: string, bits: number): string {
  return `${names[algorithm] ?? algorithm}, ${bits} bits`
}

/** Type and size of a stored key line, as shown on its badge. */
export function kindOfKey(line: string): string {
  const [type = '', base64 = ''] = line.split(' ')
  const kind = kinds[type]
  if (kind) return describeKind(...kind)
  return type === 'ssh-rsa' ? describeKind('rsa', rsaBits(base64)) : type
}

/** An RSA key holds three lengths and fields: the type, the exponent, and the modulus whose size is asked for. */
function rsaBits(base64: string): number {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  const exponentAt = 4 + view.getUint32(0)
  const modulusAt = exponentAt + 4 + view.getUint32(exponentAt)
  const modulus = bytes.subarray(modulusAt + 4)
  const start = modulus.findIndex(byte => byte !== 0)
  return (modulus.length - start) * 8 - Math.clz32(modulus[start] ?? 0) + 24
}
