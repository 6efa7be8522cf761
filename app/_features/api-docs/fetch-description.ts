import type { ApiDescription } from './description'

/** Query for all endpoints without their details. */
export const outlineQuery = { queryKey: ['api-outline'], queryFn: () => fetchPart(''), staleTime: Infinity }

/** Returns a query for all details of an endpoint, including the schemas that it uses. */
export const callQuery = (id: string) => ({
  queryKey: ['api-call', id],
  queryFn: () => fetchPart(`/${encodeURIComponent(id)}`),
  staleTime: Infinity,
})

async function fetchPart(path: string): Promise<ApiDescription> {
  const response = await fetch(`/api/docs/calls${path}`, { credentials: 'omit' })
  if (!response.ok) throw new Error(`Failed to load the API description (status ${response.status}).`)
  return (await response.json()) as ApiDescription
}
