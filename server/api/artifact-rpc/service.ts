import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  CreateArtifactRequestSchema,
  CreateArtifactResponseSchema,
  DeleteArtifactRequestSchema,
  DeleteArtifactResponseSchema,
  FinalizeArtifactRequestSchema,
  FinalizeArtifactResponseSchema,
  GetSignedArtifactURLRequestSchema,
  GetSignedArtifactURLResponseSchema,
  ListArtifactsRequestSchema,
  ListArtifactsResponse_MonolithArtifactSchema,
  ListArtifactsResponseSchema,
} from '@/proto/gen/github/actions/results/api/v1/artifact_pb'
import {
  type ArtifactRow,
  createArtifact,
  deleteForJob,
  finalizeForJob,
  listForJob,
  signForJob,
} from '@/server/artifacts'
import type { JobCtx } from '@/server/kernel/ctx'

/** Context of a remote call. */
export type RpcCtx = JobCtx & {
  /** Origin that signed URLs start with. */
  origin: string
}

/** Method with the schemas of its request and response. */
export interface Method<Input extends DescMessage = DescMessage, Output extends DescMessage = DescMessage> {
  input: Input
  output: Output
  run(ctx: RpcCtx, request: MessageShape<Input>): Promise<MessageShape<Output>>
}

const method = <Input extends DescMessage, Output extends DescMessage>(
  input: Input,
  output: Output,
  run: (ctx: RpcCtx, request: MessageShape<Input>) => Promise<MessageInitShape<Output>>,
): Method =>
  ({ input, output, run: async (ctx, request) => create(output, await run(ctx, request)) }) as Method<
    Input,
    Output
  > as unknown as Method

/** Methods of `github.actions.results.api.v1.ArtifactService`, by name. */
export const methods: ReadonlyMap<string, Method> = new Map([
  [
    'CreateArtifact',
    method(CreateArtifactRequestSchema, CreateArtifactResponseSchema, async (ctx, request) => {
      const { name, mimeType, expiresAt } = request
      const wanted = expiresAt && dateOf(expiresAt)
      const made = await createArtifact(ctx, { ...calledFor(request), name, mimeType, expiresAt: wanted })
      return { ok: true, signedUploadUrl: absolute(ctx, made) }
    }),
  ],
  [
    'FinalizeArtifact',
    method(FinalizeArtifactRequestSchema, FinalizeArtifactResponseSchema, async (ctx, request) => {
      const { name, hash } = request
      const size = Number(request.size)
      const { id } = await finalizeForJob(ctx, { ...calledFor(request), name, size, hash })
      return { ok: true, artifactId: BigInt(id) }
    }),
  ],
  [
    'ListArtifacts',
    method(ListArtifactsRequestSchema, ListArtifactsResponseSchema, async (ctx, request) => {
      const { nameFilter: name, idFilter } = request
      const id = idFilter === undefined ? undefined : Number(idFilter)
      const artifacts = await listForJob(ctx, { ...calledFor(request), name, id })
      return { artifacts: artifacts.map(entryOf) }
    }),
  ],
  [
    'GetSignedArtifactURL',
    method(GetSignedArtifactURLRequestSchema, GetSignedArtifactURLResponseSchema, async (ctx, request) => {
      const signed = await signForJob(ctx, calledFor(request), request.name)
      return { signedUrl: absolute(ctx, signed) }
    }),
  ],
  [
    'DeleteArtifact',
    method(DeleteArtifactRequestSchema, DeleteArtifactResponseSchema, async (ctx, request) => {
      const { id } = await deleteForJob(ctx, calledFor(request), request.name)
      return { ok: true, artifactId: BigInt(id) }
    }),
  ],
])

const absolute = ({ origin }: RpcCtx, to: { path: string } | { url: string }): string =>
  'url' in to ? to.url : `${origin}${to.path}`

const calledFor = (request: { workflowRunBackendId: string; workflowJobRunBackendId: string }) => ({
  runId: request.workflowRunBackendId,
  jobId: request.workflowJobRunBackendId,
})

// Times beyond the range of dates are clamped.
function dateOf({ seconds, nanos }: Timestamp): Date {
  const most = 8_640_000_000_000n
  if (seconds >= most || seconds <= -most) return new Date(Number(seconds > 0 ? most : -most) * 1000)
  return new Date(Number(seconds) * 1000 + Math.trunc(nanos / 1_000_000))
}

const entryOf = (artifact: ArtifactRow) =>
  create(ListArtifactsResponse_MonolithArtifactSchema, {
    workflowRunBackendId: String(artifact.run_id),
    workflowJobRunBackendId: String(artifact.job_id),
    databaseId: BigInt(artifact.id),
    name: artifact.name,
    size: BigInt(artifact.size),
    createdAt: timestampFromDate(artifact.created_at),
    ...(artifact.sha256 && { digest: `sha256:${artifact.sha256.toString('hex')}` }),
  })
