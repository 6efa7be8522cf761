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

/** Says that workflows are off, since when, and who can turn them on; nothing while they are on. */
export function WorkflowsOff({ home }: { home: RepositoryHome }): ReactNode {
  const { repository, workflows_off: off } = home
  const { owner, name, full_name: fullName } = repository
  const turnOn = useMutation({
    mutationFn: () => trpc.repos.edit.mutate({ owner: owner.login, repo: name, has_actions: true }),
    onSuccess: () => {
      toast.success(`Workflows of ${fullName} are on`)
      refreshPage()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  if (!off) return null
  return (
    <Banner
      className={styles.off}
      variant="warning"
      title="Workflows are off"
      description={
        <div className={styles.offText}>
          <p>
            {off.since ? (
              <>
                They have been off since this repository was transferred <RelativeDate value={off.since} />.
                Once an owner turns them on, they run on the runners of {owner.login}, with the secrets of{' '}
                {owner.login}: read them before.
              </>
            ) : (
              'Nothing starts them until an administrator of this repository turns them on.'
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
