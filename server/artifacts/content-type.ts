import type { ArtifactRow } from './store'

const zip = 'application/zip'
const token = "[\\w!#$%&'*+.^`|~-]{1,127}"
const mediaType = new RegExp(`^(${token}/${token})\\s*(;|$)`)
const namesOfZip = ['application/x-zip-compressed', 'application/zip-compressed']

/** The type of an artifact as its client announced it, without parameters. Clients that announce none send a zip. */
export function announcedType(mimeType: string | undefined): string {
  const type = mediaType.exec(mimeType?.trim() ?? '')?.[1]?.toLowerCase()
  return type === undefined || namesOfZip.includes(type) ? zip : type
}

/** Tells whether an artifact is an archive, which clients unpack. */
export const isZip = ({ content_type }: { content_type: string }): boolean => content_type === zip

/** The name that an artifact is downloaded under. */
export function fileNameOf(artifact: Pick<ArtifactRow, 'name' | 'content_type'>): string {
  // Dots alone are not a name that can be saved.
  const name = /^\.+$/.test(artifact.name) ? 'artifact' : artifact.name
  return isZip(artifact) && !name.toLowerCase().endsWith('.zip') ? `${name}.zip` : name
}
