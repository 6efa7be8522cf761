'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { counted } from '@/app/_lib/format'
import { repositoryPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { stopAsking } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { Repository } from '@/server/repos/schema'
import type { KnownRelease } from './use-release-form'

interface DeleteReleaseProps {
  repository: Repository
  release: KnownRelease
  files: number
}

export function DeleteRelease({ repository, release, files }: DeleteReleaseProps): ReactNode {
  const router = useRouter()
  const { id, tag, draft } = release
  const what = draft ? 'draft' : 'release'
  return (
    <ConfirmButton
      label={`Delete ${what}…`}
      title={`Delete the ${what} ${isolated(tag)}?`}
      confirm={`Delete ${what}`}
      run={() => trpc.releases.remove.mutate({ owner: repository.owner.login, repo: repository.name, id })}
      done={`Deleted ${isolated(tag)}`}
      onDone={() => {
        stopAsking()
        router.push(repositoryPath(repository, 'releases'))
        refreshPage()
      }}
    >
      <p>
        This deletes the {what}’s notes{files > 0 ? ` and ${counted(files, 'file', 'files')}` : ''}. Links to
        the {what} will stop working. This can’t be undone.
      </p>
      {draft ? null : (
        <p>
          The tag <bdi>{tag}</bdi> stays in the repository.
        </p>
      )}
    </ConfirmButton>
  )
}
