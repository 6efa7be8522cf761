import type { z } from 'zod'
import type { ActingCtx, ServiceCtx } from '@/server/kernel/ctx'
import { loadRepository, writeCode } from '@/server/repos'
import { RepoPath } from '@/server/repos/schema'
import { repositoryPath } from '@/server/repos/storage'
import type { RequestCtx } from '@/server/trpc/init'
import { actingWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { changeFiles } from './change-files'
import {
  type ChangeFile,
  ChangeFilesInput,
  type CommitOptions,
  CreateFileInput,
  DeleteFileInput,
  FileDeleteResponse,
  FilePath,
  FileResponse,
  FilesResponse,
  UpdateFileInput,
} from './schema'
import { viewCommitted } from './view'

const at = '/repos/{owner}/{repo}/contents'
const written = { tag: 'repository', scopes: ['repository'], job: 'contents', largeBody: true } as const
const errors = {
  403: 'You do not have write access to the code.',
  404: 'The repository, branch, or file does not exist or is not visible to you.',
  409: 'Another push changed the file concurrently.',
  413: 'The body is larger than 32 MiB.',
  422: 'The input is invalid, or the branch does not have what it expects, such as the blob in `sha`.',
  423: 'The repository is archived.',
}

const load = (ctx: ServiceCtx, path: RepoPath) => loadRepository(ctx, path, writeCode)
type Found = Awaited<ReturnType<typeof load>>
type WriteCtx = RequestCtx & ActingCtx & { found: Found }

export const writeProcedures = {
  createFile: actingWith(FilePath, load)
    .meta(
      rest('POST', `${at}/{path}`, { ...written, status: 201, tail: true, summary: 'Create a file', errors }),
    )
    .input(CreateFileInput)
    .output(FileResponse)
    .mutation(({ ctx, input: { path, content, ...options } }) =>
      changeOne(ctx, { ...file, operation: 'create', path, content }, options),
    ),

  updateFile: actingWith(FilePath, load)
    .meta(
      rest('PUT', `${at}/{path}`, {
        ...written,
        otherStatus: 201,
        tail: true,
        summary: 'Update a file, or create it if no `sha` is sent',
        errors,
      }),
    )
    .input(UpdateFileInput)
    .output(FileResponse)
    .mutation(async ({ ctx, input: { path, content, sha, from_path, ...options } }) => {
      const operation = sha || from_path ? 'update' : 'create'
      const response = await changeOne(ctx, { operation, path, content, sha, from_path }, options)
      if (operation === 'create') ctx.out.status = 201
      return response
    }),

  deleteFile: actingWith(FilePath, load)
    .meta(
      rest('DELETE', `${at}/{path}`, {
        ...written,
        bodyOfDelete: true,
        tail: true,
        summary: 'Delete a file',
        errors,
      }),
    )
    .input(DeleteFileInput)
    .output(FileDeleteResponse)
    .mutation(async ({ ctx, input: { path, sha, ...options } }) => {
      const response = await change(ctx, [{ ...file, operation: 'delete', path, sha }], options)
      return { ...response, content: null }
    }),

  changeFiles: actingWith(RepoPath, load)
    .meta(
      rest('POST', at, { ...written, status: 201, summary: 'Change several files in one commit', errors }),
    )
    .input(ChangeFilesInput)
    .output(FilesResponse)
    .mutation(({ ctx, input: { files, ...options } }) => change(ctx, files, options)),
}

const file = { sha: '', from_path: '' }

async function changeOne(
  ctx: WriteCtx,
  wanted: ChangeFile,
  options: CommitOptions,
): Promise<z.input<typeof FileResponse>> {
  const { files, ...response } = await change(ctx, [wanted], options)
  const [content] = files
  if (!content) throw new Error('the commit has lost its file')
  return { ...response, content }
}

async function change(
  ctx: WriteCtx,
  files: readonly ChangeFile[],
  options: CommitOptions,
): Promise<FilesResponse> {
  const { found, spilled } = ctx
  const committed = await changeFiles(ctx, found, { ...options, files, spilled })
  const git = repositoryPath(ctx.config, found.repository.storage_key)
  return await viewCommitted(ctx, { ...found, git }, committed)
}
