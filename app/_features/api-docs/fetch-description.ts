import type { ApiDescription } from './description'

/** All calls, each in a line. */
export const outlineQuery = { queryKey: ['api-outline'], queryFn: () => fetchPart(''), staleTime: Infinity }

/** All about one call, with the schemas that it names. */
export const callQuery = (id: string) => ({
  queryKey: ['api-call', id],
  queryFn: () => fetchPart(`/${encodeURIComponent(id)}`),
  staleTime: Infinity,
})

async function fetchPart(path: string): Promise<ApiDescription> {
  const response = await fetch(`/api/docs/calls${path}`, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The description of the API was answered with ${response.status}.`)
  return (await response.json()) as ApiDescription
}
