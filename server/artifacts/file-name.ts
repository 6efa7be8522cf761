import { isZip } from './content-type'
import type { ArtifactRow } from './store'

/** The name that an artifact is downloaded under. */
export function fileNameOf(artifact: Pick<ArtifactRow, 'name' | 'content_type'>): string {
  const { name } = artifact
  return isZip(artifact) && !name.toLowerCase().endsWith('.zip') ? `${name}.zip` : name
}
