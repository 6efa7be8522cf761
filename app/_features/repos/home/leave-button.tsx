'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Repository } from '@/server/repos/schema'

interface LeaveRepositoryButtonProps {
  repository: Pick<Repository, 'full_name' | 'name' | 'owner'>
  me: string
}

/**
 * Button to leave a repository as a collaborator. It asks for confirmation, because viewers cannot add
 * themselves again.
 */
export function LeaveRepositoryButton({ repository, me }: LeaveRepositoryButtonProps): ReactNode {
  const router = useRouter()
  const { full_name, name: repo, owner } = repository
  return (
    <ConfirmButton
      label="Leave repository"
      size="small"
      title={`Leave ${full_name}?`}
      confirm="Leave repository"
      done={`You left ${full_name}`}
      run={() => trpc.repos.collaborators.remove.mutate({ owner: owner.login, repo, collaborator: me })}
      onDone={() => {
        router.push('/')
        refreshPage()
      }}
    >
      <p>
        You’ll immediately lose any access you have only as a collaborator. To rejoin, ask a repository
        administrator to add you again.
      </p>
    </ConfirmButton>
  )
}
