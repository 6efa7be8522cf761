export type SearchParams = Promise<Record<string, string | string[] | undefined>>

export async function textParam(params: SearchParams, name: string): Promise<string> {
  const value = (await params)[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** `?page=`, from 1; anything else is the first page. */
export async function pageParam(params: SearchParams): Promise<number> {
  const page = Number(await textParam(params, 'page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
