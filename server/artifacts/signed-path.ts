import type { Config } from '@/server/kernel/config'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isSigned, type SignaturePurpose, sign } from '@/server/kernel/signature'

type KeyHolder = Pick<Config, 'secretKey'>

/** Permission in a signed upload URL: to upload one artifact while the task runs. */
export interface UploadPermit {
  artifactId: number
  taskId: number
  /** In seconds since 1970. */
  expires: number
}

/** Permission in a signed download URL: to read one artifact. */
export interface DownloadPermit {
  artifactId: number
  /** In seconds since 1970. */
  expires: number
  /** Whether the path ends in `.zip`, by which clients recognize an archive to unpack. */
  isZip: boolean
}

export type SignatureState = 'valid' | 'expired' | 'wrong'

const id = '([1-9]\\d{0,14})'
const uploadForm = new RegExp(`^/-/artifacts/upload/${id}-${id}-${id}$`)
const downloadForm = new RegExp(`^/-/artifacts/download/${id}-${id}(/artifact\\.zip)?$`)

/** Returns the path and query of a signed upload URL. Clients append their own parameters. */
export function signUpload(config: KeyHolder, permit: UploadPermit): string {
  const { artifactId, taskId, expires } = permit
  const signature = sign(config, 'PUT artifact upload', uploadFields(permit))
  return `/-/artifacts/upload/${artifactId}-${taskId}-${expires}?sig=${signature}`
}

/** Returns the path and query of a signed download URL. */
export function signDownload(config: KeyHolder, permit: DownloadPermit): string {
  const { artifactId, expires, isZip } = permit
  const signature = sign(config, 'GET artifact', downloadFields(permit))
  return `/-/artifacts/download/${artifactId}-${expires}${isZip ? '/artifact.zip' : ''}?sig=${signature}`
}

/** Parses the path of an upload URL without checking its signature; undefined for any other path. */
export function parseUploadPath(path: string): UploadPermit | undefined {
  const found = uploadForm.exec(path)
  return found
    ? { artifactId: Number(found[1]), taskId: Number(found[2]), expires: Number(found[3]) }
    : undefined
}

/** Parses the path of a download URL without checking its signature; undefined for any other path. */
export function parseDownloadPath(path: string): DownloadPermit | undefined {
  const found = downloadForm.exec(path)
  return found
    ? { artifactId: Number(found[1]), expires: Number(found[2]), isZip: found[3] !== undefined }
    : undefined
}

/** Checks the signature in the query of an upload. Must be called before any lookup. */
export function checkUpload(ctx: CheckCtx, permit: UploadPermit, query: string): SignatureState {
  return check(ctx, 'PUT artifact upload', uploadFields(permit), permit.expires, query)
}

/** Checks the signature in the query of a download. Must be called before any lookup. */
export function checkDownload(ctx: CheckCtx, permit: DownloadPermit, query: string): SignatureState {
  return check(ctx, 'GET artifact', downloadFields(permit), permit.expires, query)
}

/** Returns the signed query for reading an artifact at its file's URL in the API. */
export function signRaw(config: KeyHolder, permit: RawPermit): string {
  return `sig=${sign(config, 'GET artifact', rawFields(permit))}&expires=${permit.expires}`
}

/** Checks the signed query of an artifact's file URL in the API. Must be called before any lookup. */
export function checkRaw(ctx: CheckCtx, artifactId: number, query: string): SignatureState {
  const expires = new URLSearchParams(query).get('expires') ?? ''
  if (!/^[1-9]\d{0,14}$/.test(expires)) return 'wrong'
  const permit = { artifactId, expires: Number(expires) }
  return check(ctx, 'GET artifact', rawFields(permit), permit.expires, query)
}

type RawPermit = Omit<DownloadPermit, 'isZip'>

type CheckCtx = { config: KeyHolder } & Pick<ServiceCtx, 'clock'>

function check(
  { config, clock }: CheckCtx,
  purpose: SignaturePurpose,
  fields: readonly string[],
  expires: number,
  query: string,
): SignatureState {
  // Other parameters are not signed, because storage clients append their own.
  const [signature, ...more] = new URLSearchParams(query).getAll('sig')
  if (signature === undefined || more.length > 0 || !isSigned(config, purpose, fields, signature))
    return 'wrong'
  return clock.now().getTime() < expires * 1000 ? 'valid' : 'expired'
}

const uploadFields = ({ artifactId, taskId, expires }: UploadPermit): string[] =>
  [artifactId, taskId, expires].map(String)

const downloadFields = ({ artifactId, expires, isZip }: DownloadPermit): string[] => [
  String(artifactId),
  String(expires),
  isZip ? 'zip' : '',
]

const rawFields = ({ artifactId, expires }: RawPermit): string[] => [
  String(artifactId),
  String(expires),
  'raw',
]
