import type { Site } from './site'

export interface DocumentedEndpoint {
  method: string
  path: string
  pathFields: string[]
  queryFields: string[]
  bodyFields: string[]
  /** The schemas of all path, query and body fields by name. */
  schemas: Record<string, FieldSchema>
}

export interface FieldSchema {
  type?: string
  enum?: string[]
  items?: FieldSchema
  maxLength?: number
}

interface Operation {
  parameters?: { name: string; in: string; schema?: FieldSchema }[]
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, FieldSchema> } }> }
}

/** Returns every endpoint of the OpenAPI document, so that tests cover endpoints that are added later. */
export async function documentedEndpoints(site: Site): Promise<DocumentedEndpoint[]> {
  const response = await fetch(`${site.url}/api/v1/openapi.json`)
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const named = (param: string) =>
        (operation.parameters ?? []).filter(field => field.in === param).map(field => field.name)
      const inBody = operation.requestBody?.content['application/json']?.schema.properties ?? {}
      const parameters = (operation.parameters ?? []).map(({ name, schema = {} }) => [name, schema] as const)
      return {
        method: method.toUpperCase(),
        path,
        pathFields: named('path'),
        queryFields: named('query'),
        bodyFields: Object.keys(inBody),
        schemas: { ...Object.fromEntries(parameters), ...inBody },
      }
    }),
  )
}
