'use client'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { Button } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { RepositoryHome } from '@/server/repos/schema'
import styles from './actions.module.css'

/**
 * Banner that shows that workflows are turned off, since when, and who can turn them on. Renders nothing
 * otherwise.
 */
export function WorkflowsOff({ home }: { home: RepositoryHome }): ReactNode {
  const { repository, workflows_off: off } = home
  const { owner, name, full_name: fullName } = repository
  const turnOn = useMutation({
    mutationFn: () => trpc.repos.edit.mutate({ owner: owner.login, repo: name, has_actions: true }),
    onSuccess: () => {
      toast.success(`Turned on workflows in ${fullName}`)
      refreshPage()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  if (!off) return null
  return (
    <Banner
      className={styles.off}
      variant="warning"
      title="Workflows are turned off"
      description={
        <div className={styles.offText}>
          <p>
            {off.since ? (
              <>
                Workflows have been off since this repository was transferred{' '}
                <RelativeDate value={off.since} />. Once an owner turns them on, they’ll run on {owner.login}
                ’s runners with {owner.login}’s secrets, so review them first.
              </>
            ) : (
              'Workflows won’t run until a repository administrator turns them on.'
            )}
          </p>
          {off.may_turn_on ? (
            <div>
              <Button size="small" loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
                Turn on workflows
              </Button>
            </div>
          ) : null}
        </div>
      }
    />
  )
}
