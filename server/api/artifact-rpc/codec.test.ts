import { create, toBinary } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import {
  CreateArtifactRequestSchema,
  FinalizeArtifactRequestSchema,
  FinalizeArtifactResponseSchema,
  ListArtifactsRequestSchema,
  ListArtifactsResponseSchema,
} from '@/proto/gen/github/actions/results/api/v1/artifact_pb'
import { decode, encode, formatOf } from './codec'

const bytes = (text: string) => Buffer.from(text)
const json = (value: unknown) => bytes(JSON.stringify(value))

describe('a request', () => {
  it('is decoded with the field names that the stock client sends', () => {
    const read = decode(
      CreateArtifactRequestSchema,
      json({
        workflow_run_backend_id: '1',
        workflow_job_run_backend_id: '2',
        name: 'ü 中',
        expires_at: '2026-11-22T19:30:00.123Z',
        version: 7,
        mime_type: 'text/plain',
      }),
      'json',
    )
    expect(read).toMatchObject({
      workflowRunBackendId: '1',
      workflowJobRunBackendId: '2',
      name: 'ü 中',
      expiresAt: timestampFromDate(new Date('2026-11-22T19:30:00.123Z')),
      version: 7,
      mimeType: 'text/plain',
    })
  })

  it('is decoded with JSON field names, too, and unknown fields are ignored', () => {
    const sent = {
      workflowRunBackendId: '1',
      name: 'a',
      mimeType: null,
      compression_level: 6,
      nested: { a: [] },
    }
    expect(decode(CreateArtifactRequestSchema, json(sent), 'json')).toMatchObject({
      workflowRunBackendId: '1',
      name: 'a',
    })
  })

  it('is decoded with its size as a string, as a number, or omitted', () => {
    const sizes = [{ size: '30000000000' }, { size: 30_000_000_000 }, {}]
    expect(sizes.map(size => decode(FinalizeArtifactRequestSchema, json(size), 'json').size)).toEqual([
      30_000_000_000n,
      30_000_000_000n,
      0n,
    ])
    expect(decode(ListArtifactsRequestSchema, json({ id_filter: '12' }), 'json').idFilter).toBe(12n)
  })

  it('is decoded from binary', () => {
    const sent = create(FinalizeArtifactRequestSchema, { name: 'a', size: 5n, hash: 'sha256:00' })
    const read = decode(
      FinalizeArtifactRequestSchema,
      toBinary(FinalizeArtifactRequestSchema, sent),
      'binary',
    )
    expect(read).toEqual(sent)
  })

  it('is malformed if it cannot be decoded', () => {
    const texts = ['', '{', '[]', 'null', '"a"', '{"name":1}', '{"version":"x"}', '{"expires_at":"tomorrow"}']
    for (const text of texts)
      expect(() => decode(CreateArtifactRequestSchema, bytes(text), 'json'), text).toThrow(
        expect.objectContaining({ code: 'malformed' }),
      )
    for (const broken of [Buffer.from([0x0a, 0x05, 0x61]), Buffer.from([0xff])])
      for (const format of ['json', 'binary'] as const)
        expect(() => decode(CreateArtifactRequestSchema, broken, format)).toThrow(
          expect.objectContaining({ code: 'malformed' }),
        )
  })

  it('is recognized as JSON or protobuf, whatever parameters its content type has', () => {
    expect(formatOf('application/json')).toBe('json')
    expect(formatOf('Application/JSON; charset=utf-8')).toBe('json')
    expect(formatOf('application/protobuf;x=y')).toBe('binary')
    for (const type of [null, '', 'text/plain', 'application/jsonp', 'application/x-protobuf'])
      expect(() => formatOf(type), String(type)).toThrow(expect.objectContaining({ code: 'bad_route' }))
  })
})

describe('a response', () => {
  it('has the field names by which clients mask secrets, 64-bit numbers as strings, and empty fields', () => {
    const message = create(ListArtifactsResponseSchema, {
      artifacts: [
        {
          databaseId: 9_007_199_254_740_991n,
          createdAt: timestampFromDate(new Date(0)),
          digest: 'sha256:00',
        },
      ],
    })
    const { type, body } = encode(ListArtifactsResponseSchema, message, 'json')
    expect(type).toBe('application/json')
    expect(JSON.parse(String(body))).toEqual({
      artifacts: [
        {
          workflow_run_backend_id: '',
          workflow_job_run_backend_id: '',
          database_id: '9007199254740991',
          name: '',
          size: '0',
          created_at: '1970-01-01T00:00:00Z',
          digest: 'sha256:00',
        },
      ],
    })
    expect(encode(ListArtifactsResponseSchema, create(ListArtifactsResponseSchema), 'json').body).toBe(
      '{"artifacts":[]}',
    )
  })

  it('to a binary request is binary', () => {
    const message = create(FinalizeArtifactResponseSchema, { ok: true, artifactId: 5n })
    const { type, body } = encode(FinalizeArtifactResponseSchema, message, 'binary')
    expect(type).toBe('application/protobuf')
    expect(body).toEqual(Uint8Array.of(8, 1, 16, 5))
  })
})
