import type { ArtifactRow } from './store'

const zip = 'application/zip'
const token = "[\\w!#$%&'*+.^`|~-]{1,127}"
const mediaType = new RegExp(`^(${token}/${token})\\s*(;|$)`)
const namesOfZip = ['application/x-zip-compressed', 'application/zip-compressed']

/**
 * Returns the content type that the client announced, without parameters. A client that announces none
 * uploads a zip.
 */
export function announcedType(mimeType: string | undefined): string {
  const type = mediaType.exec(mimeType?.trim() ?? '')?.[1]?.toLowerCase()
  return type === undefined || namesOfZip.includes(type) ? zip : type
}

/** Whether an artifact is a zip archive, which clients unpack. */
export const isZip = ({ content_type }: { content_type: string }): boolean => content_type === zip

/** Returns the file name for downloads of an artifact. */
export function fileNameOf(artifact: Pick<ArtifactRow, 'name' | 'content_type'>): string {
  // A name of only dots cannot be saved.
  const name = /^\.+$/.test(artifact.name) ? 'artifact' : artifact.name
  return isZip(artifact) && !name.toLowerCase().endsWith('.zip') ? `${name}.zip` : name
}
