import type { Site } from './site'

export interface DocumentedEndpoint {
  method: string
  path: string
  pathFields: string[]
  queryFields: string[]
  bodyFields: string[]
}

interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: { properties?: object } }> }
}

/** Every endpoint of the API as its own document tells, so that none is forgotten. */
export async function documentedEndpoints(site: Site): Promise<DocumentedEndpoint[]> {
  const response = await fetch(`${site.url}/api/v1/openapi.json`)
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const named = (place: string) =>
        (operation.parameters ?? []).filter(field => field.in === place).map(field => field.name)
      return {
        method: method.toUpperCase(),
        path,
        pathFields: named('path'),
        queryFields: named('query'),
        bodyFields: Object.keys(operation.requestBody?.content['application/json']?.schema.properties ?? {}),
      }
    }),
  )
}
