import { createPublicKey } from 'node:crypto'
import { invalidKey } from './errors'
import type { WireReader } from './wire-reader'

export interface Curve {
  name: string
  jwkName: string
  bits: number
  coordinateBytes: number
}

export const curves = {
  nistp256: { name: 'nistp256', jwkName: 'P-256', bits: 256, coordinateBytes: 32 },
  nistp384: { name: 'nistp384', jwkName: 'P-384', bits: 384, coordinateBytes: 48 },
  nistp521: { name: 'nistp521', jwkName: 'P-521', bits: 521, coordinateBytes: 66 },
} as const satisfies Record<string, Curve>

/**
 * Reads a curve name and a point and lets only an uncompressed point of that curve pass; otherwise throws unprocessable.
 */
export function readPoint(fields: WireReader, curve: Curve): void {
  const name = fields.readString('curve name')
  if (!name.equals(Buffer.from(curve.name))) {
    throw invalidKey(`the curve inside the key is not the one its type names; it must be ${curve.name}`)
  }
  const point = fields.readString('public point')
  const length = 1 + 2 * curve.coordinateBytes
  if (point.length !== length || point[0] !== 4) {
    throw invalidKey(`the public point must be uncompressed, ${length} bytes beginning with 4`)
  }
  if (!isOnCurve(point, curve)) throw invalidKey(`the public point does not lie on the curve ${curve.name}`)
}

function isOnCurve(point: Buffer, curve: Curve): boolean {
  const x = point.subarray(1, 1 + curve.coordinateBytes).toString('base64url')
  const y = point.subarray(1 + curve.coordinateBytes).toString('base64url')
  try {
    createPublicKey({ key: { kty: 'EC', crv: curve.jwkName, x, y }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}
