/** What a pointer file of Git LFS stands for. */
export interface LfsPointer {
  /** SHA-256 of the content. */
  oid: string
  /** In bytes. */
  size: number
}

// Source: specification of Git LFS, which requires smaller files.
const maxBytes = 1024

const form =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n/

/** Returns what a file stands for if it is a pointer file of Git LFS. */
export function readLfsPointer(content: Buffer): LfsPointer | undefined {
  if (content.length >= maxBytes) return undefined
  const [, oid, size] = form.exec(content.toString('latin1')) ?? []
  return oid === undefined ? undefined : { oid, size: Number(size) }
}
