'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { DepartureButton } from '@/app/_features/departures/departure-button'
import styles from '@/app/_features/orgs/orgs.module.css'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Membership } from '@/server/orgs/schema'

interface OwnMembershipProps {
  membership: Membership
  me: string
}

/** What others see of the viewer's membership, and the way out. */
export function OwnMembership({ membership, me }: OwnMembershipProps): ReactNode {
  const router = useRouter()
  const { organization, isOwner, isPublic } = membership
  const path = { org: organization.name, username: me }
  const toggle = useMutation({
    mutationFn: () =>
      isPublic ? trpc.orgs.concealMember.mutate(path) : trpc.orgs.publishMember.mutate(path),
    onSuccess: () => router.refresh(),
    onError: error => toast.error(readFailure(error).message),
  })

  return (
    <section className={styles.own} aria-label="Your membership">
      <p className={styles.membership} role="status">
        You are {isOwner ? 'an owner' : 'a member'}.{' '}
        {isPublic
          ? 'Everybody who sees the organization sees that you are in it.'
          : 'Only its members see that you are in it.'}
      </p>
      <div className={styles.actions}>
        <Button size="small" loading={toggle.isPending} onClick={() => toggle.mutate()}>
          {isPublic ? 'Make it private' : 'Make it public'}
        </Button>
        <DepartureButton
          label="Leave"
          size="small"
          wayOut={{ way: 'organization', ...path }}
          isOwn
          title={`Leave ${organization.name}?`}
          confirm="Leave organization"
          done={`You left ${organization.name}`}
          onDone={() => {
            router.push('/-/orgs')
            router.refresh()
          }}
        >
          <p>To come back, an owner must add you to a team again.</p>
        </DepartureButton>
      </div>
    </section>
  )
}
