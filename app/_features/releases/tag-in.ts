import { decodeSegment } from '@/app/_lib/paths'

export interface TaggedParams {
  params: Promise<{ username: string; repo: string; tag: string[] }>
}

/**
 * Returns the tag from the path of a release page. A tag that contains slashes spans several path segments.
 */
export async function tagIn(params: TaggedParams['params']): Promise<string> {
  return (await params).tag.map(decodeSegment).join('/')
}
