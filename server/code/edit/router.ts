import type { ServiceCtx } from '@/server/kernel/ctx'
import { loadRepository, writeCode } from '@/server/repos'
import { RepoPath } from '@/server/repos/schema'
import { repositoryPath } from '@/server/repos/storage'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import type { ReadableCode } from '../context'
import { renderMarkdown } from '../pages/file'
import { findExisting, findFileState } from './find'
import { openEditor } from './open'
import {
  EditPage,
  EditPath,
  ExistingFiles,
  ExistingFilesInput,
  FileState,
  FileStateInput,
  Preview,
  PreviewInput,
} from './schema'

async function load(ctx: ServiceCtx, path: RepoPath): Promise<ReadableCode> {
  const found = await loadRepository(ctx, path, writeCode)
  return { ...found, git: repositoryPath(ctx.config, found.repository.storage_key) }
}

/** Procedures of the pages that edit files, for people who can push. */
export const codeEditRouter = router({
  open: signedInWith(EditPath, load)
    .output(EditPage)
    .query(({ ctx, input }) => openEditor(ctx, ctx.found, input.path)),

  findState: signedInWith(RepoPath, load)
    .input(FileStateInput)
    .output(FileState)
    .query(({ ctx, input }) => findFileState(ctx, ctx.found, input)),

  findExisting: signedInWith(RepoPath, load)
    .input(ExistingFilesInput)
    .output(ExistingFiles)
    .query(({ ctx, input }) => findExisting(ctx, ctx.found, input)),

  previewMarkdown: signedInWith(RepoPath, load)
    .input(PreviewInput)
    .output(Preview)
    .query(({ ctx, input: { branch, path, text } }) =>
      // Links lead to the branch by its name, so the commit does not matter.
      renderMarkdown(
        ctx,
        { code: ctx.found, revision: { kind: 'branch', name: branch, commit: '' }, path },
        text,
      ),
    ),
})
