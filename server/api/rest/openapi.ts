import { createHash } from 'node:crypto'
import type { OpenAPIObject } from 'trpc-openapi'
import { readOnly } from '@/server/kernel/http/call'
import { hasAlready } from '@/server/kernel/http/etag'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { apiVersion } from '@/server/kernel/version'
import type { Meta } from '@/server/trpc/rest'
import { documentArchives } from '../archives/openapi'
import { documentArtifactDownloads } from '../artifact-downloads/openapi'
import { documentDiffs } from '../diffs/openapi'
import { documentJobLogs } from '../job-logs/openapi'
import type { Mount } from '../mount'
import { documentRawFiles } from '../raw-files/openapi'
import { appRouter } from '../root'
import { correctOperation } from './openapi-operation'

let made: Promise<OpenAPIObject> | undefined

/**
 * Returns the OpenAPI 3.1 document, which is generated from the procedures and corrected from their metadata
 * once.
 */
export function openApiDocument(): Promise<OpenAPIObject> {
  made ??= makeDocument()
  return made
}

// Imported on demand, because the library takes memory for adapters that nobody uses.
async function makeDocument(): Promise<OpenAPIObject> {
  const { generateOpenApiDocument } = await import('trpc-openapi')
  const document = withBodiesOfDelete(() =>
    generateOpenApiDocument(appRouter, {
      title: 'Guildhall',
      description:
        'Send a personal access token as `Authorization: token <token>` or `Bearer <token>`, ' +
        'or a username and password using Basic authentication.',
      version: apiVersion,
      // Relative, so that requests go to the host from which the document was loaded.
      baseUrl: '/api/v1',
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
        basic: { type: 'http', scheme: 'basic' },
      },
    }),
  )
  correctAll(document)
  documentArchives(document)
  documentRawFiles(document)
  documentDiffs(document)
  documentArtifactDownloads(document)
  documentJobLogs(document)
  dropOverridden(document)
  document.components = {
    ...document.components,
    schemas: { ...withoutUnused(document), Error: errorSchema },
  }
  return document
}

/** Mount of the OpenAPI document at `/api/v1/openapi.json`. */
export const openApiMount: Mount = {
  name: 'openapi',
  match: path => path === '/api/v1/openapi.json',
  createHandler: () => {
    let made: { text: string; etag: string } | undefined
    return readOnly(async call => {
      made ??= await makeText()
      const { text, etag } = made
      const sent = { ...headers, ETag: etag }
      return hasAlready(call.headers, etag)
        ? { status: 304, headers: sent }
        : { status: 200, headers: sent, body: text }
    })
  },
}

async function makeText(): Promise<{ text: string; etag: string }> {
  const text = JSON.stringify(await openApiDocument())
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

const headers = {
  ...securityHeaders,
  'Content-Type': 'application/json;charset=utf-8',
  'Cache-Control': privateCaching,
}

const errorSchema = {
  type: 'object' as const,
  required: ['message', 'url'],
  properties: {
    message: { type: 'string' as const, description: 'Human-readable description of the error.' },
    errors: {
      type: 'array' as const,
      items: { type: 'string' as const },
      description: 'Details not included in the message: the invalid field and what would be valid.',
    },
    invalidTopics: {
      type: 'array' as const,
      items: { type: 'string' as const },
      description: 'Names that cannot be topics, if that is why the request was refused.',
    },
    url: { type: 'string' as const, description: 'URL of the API documentation.' },
  },
}

// The library's error schemas describe a body that the presenter never sends.
function withoutUnused(document: OpenAPIObject): NonNullable<OpenAPIObject['components']>['schemas'] {
  const schemas = document.components?.schemas ?? {}
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.startsWith('error.')))
}

// If an input accepts several types and its metadata overrides the type, the library documents both.
function dropOverridden(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  if ('anyOf' in part && 'type' in part) delete part.anyOf
  for (const value of Object.values(part)) dropOverridden(value)
}

// The library has no body for a DELETE, but it has one for a PATCH.
function withBodiesOfDelete(generate: () => OpenAPIObject): OpenAPIObject {
  const metas = endpointMetas().filter(({ rest }) => rest.bodyOfDelete)
  for (const { openapi } of metas) openapi.method = 'PATCH'
  const document = generate()
  for (const { openapi } of metas) {
    openapi.method = 'DELETE'
    const { patch, ...others } = document.paths?.[openapi.path] ?? {}
    document.paths = { ...document.paths, [openapi.path]: { ...others, ...(patch && { delete: patch }) } }
  }
  return document
}

function endpointMetas(): Required<Pick<Meta, 'openapi' | 'rest'>>[] {
  // At runtime a router's procedures are a flat record by dotted name, unlike in its type.
  const procedures = Object.values(appRouter._def.procedures) as unknown as { _def: { meta?: Meta } }[]
  return procedures.flatMap(({ _def: { meta } }) => {
    const { openapi, rest } = meta ?? {}
    return openapi && rest ? [{ openapi, rest }] : []
  })
}

function correctAll(document: OpenAPIObject): void {
  for (const { openapi, rest } of endpointMetas()) {
    const operation = document.paths?.[openapi.path]?.[openapi.method.toLowerCase() as 'get']
    if (operation) correctOperation(operation, { ...rest, method: openapi.method, path: openapi.path })
  }
}
