import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
  toBinary,
  toJson,
} from '@bufbuild/protobuf'
import { ProtocolError } from './errors'

export type Format = 'json' | 'binary'

/**
 * Returns the format of a request, which the response uses as well.
 * @throws {ProtocolError} bad_route for any other content type, as the protocol requires.
 */
export function formatOf(contentType: string | null): Format {
  switch (contentType?.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/json':
      return 'json'
    case 'application/protobuf':
      return 'binary'
    default:
      throw new ProtocolError(
        'bad_route',
        'the Content-Type must be application/json or application/protobuf',
      )
  }
}

/**
 * Decodes a message. Field names can be in snake_case or camelCase. Unknown fields are ignored, because newer
 * clients send more.
 * @throws {ProtocolError} malformed.
 */
export function decode<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  format: Format,
): MessageShape<Desc> {
  try {
    if (format === 'binary') return fromBinary(schema, bytes)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return fromJson(schema, JSON.parse(text) as JsonValue, { ignoreUnknownFields: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ProtocolError('malformed', `the message cannot be decoded: ${reason}`)
  }
}

/** Encodes a message. JSON contains all fields, under the names that all clients know. */
export function encode<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  format: Format,
): { type: string; body: string | Uint8Array } {
  if (format === 'binary') return { type: 'application/protobuf', body: toBinary(schema, message) }
  const json = toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true })
  return { type: 'application/json', body: JSON.stringify(json) }
}
