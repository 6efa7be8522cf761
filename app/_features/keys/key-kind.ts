/** Display names of SSH key algorithms. */
const algorithmLabels: Record<string, string> = {
  ed25519: 'Ed25519',
  ecdsa: 'ECDSA',
  rsa: 'RSA',
  dsa: 'DSA',
  'ed25519-sk': 'Ed25519 security key',
  'ecdsa-sk': 'ECDSA security key',
}

/** Returns a key's algorithm and size for display, such as "RSA, 4096 bits". */
export function keyKindLabel(algorithm: string, bits: number | null): string {
  const label = algorithmLabels[algorithm] ?? algorithm
  return bits === null ? label : `${label}, ${bits} bits`
}
