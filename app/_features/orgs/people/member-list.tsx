'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { PeopleIcon } from '@/app/_components/icons'
import { Button, Label } from '@/app/_components/primer'
import { WorkList } from '@/app/_components/work-list'
import styles from '@/app/_features/orgs/orgs.module.css'
import { PersonRow } from '@/app/_features/orgs/person-row'
import { RemovalButton } from '@/app/_features/removals/removal-button'
import { readFailure } from '@/app/_lib/failure'
import { counted, doneToSeveral } from '@/app/_lib/format'
import { peopleList, publicPeopleList } from '@/app/_lib/lists'
import { orgMembersKey, peopleQuery } from '@/app/_lib/queries/orgs'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Membership, OrganizationPerson } from '@/server/orgs/schema'

interface MemberListProps {
  org: string
  me: number | undefined
  /** Whether the viewer can see all members and their roles. */
  isInside: boolean
  mayManage: boolean
}

export function MemberList({ org, me, isInside, mayManage }: MemberListProps): ReactNode {
  const list = useListChoice(isInside ? peopleList : publicPeopleList)
  const rows = useListRows(peopleQuery(org, list.choice))
  return (
    <WorkList<OrganizationPerson>
      title="Members"
      noun="member"
      icon={PeopleIcon}
      list={list}
      rows={rows}
      idOf={person => person.id}
      nameOf={person => person.login}
      empty={<EmptyState icon={PeopleIcon} title="No public members" />}
      row={(person, check) => (
        <PersonRow
          key={person.id}
          person={person}
          check={check}
          labels={
            <>
              {person.role === 'owner' ? <Label variant="accent">Owner</Label> : null}
              {person.id === me ? <Label variant="secondary">You</Label> : null}
            </>
          }
          action={
            mayManage && person.id !== me ? <RemoveMemberButton org={org} username={person.login} /> : null
          }
        />
      )}
      bulk={
        mayManage
          ? {
              takes: person => person.id !== me,
              actions: (people, done) => <RemoveMembersButton org={org} people={people} onDone={done} />,
            }
          : undefined
      }
    />
  )
}

interface OwnMembershipProps {
  membership: Membership
  me: string
}

/**
 * Shows the viewer's role and who can see their membership, with buttons to hide or publish it and to leave.
 */
export function OwnMembership({ membership, me }: OwnMembershipProps): ReactNode {
  const router = useRouter()
  const { organization, is_owner: isOwner, is_public: isPublic } = membership
  const path = { org: organization.name, username: me }
  const toggle = useMutation({
    mutationFn: () =>
      isPublic ? trpc.orgs.members.conceal.mutate(path) : trpc.orgs.members.publish.mutate(path),
    onSuccess: refreshPage,
    onError: error => toast.error(readFailure(error).message),
  })

  return (
    <section className={styles.own} aria-label="Your membership">
      <p className={styles.membership} role="status">
        You’re {isOwner ? 'an owner' : 'a member'}.{' '}
        {isPublic
          ? 'Your membership is visible to anyone who can see the organization.'
          : 'Your membership is visible to members only.'}
      </p>
      <div className={styles.actions}>
        <Button size="small" loading={toggle.isPending} onClick={() => toggle.mutate()}>
          {isPublic ? 'Hide membership' : 'Make membership public'}
        </Button>
        <RemovalButton
          label="Leave"
          size="small"
          target={{ kind: 'organization', ...path }}
          isOwn
          title={`Leave ${organization.name}?`}
          confirm="Leave organization"
          done={`You left ${organization.name}`}
          onDone={() => {
            router.push('/-/orgs')
            refreshPage()
          }}
        >
          <p>To rejoin, ask an owner to add you to a team.</p>
        </RemovalButton>
      </div>
    </section>
  )
}

interface RemoveMembersButtonProps {
  org: string
  people: readonly OrganizationPerson[]
  onDone: () => void
}

function RemoveMembersButton({ org, people, onDone }: RemoveMembersButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const many = counted(people.length, 'member', 'members')
  return (
    <RemovalButton
      label={`Remove ${many}`}
      size="small"
      target={{ kind: 'organizationMembers', org, usernames: people.map(({ login }) => login) }}
      title={`Remove ${many} from ${org}?`}
      confirm={`Remove ${many}`}
      done={({ people: { total } }) =>
        doneToSeveral(
          'Removed',
          { changed: total, wanted: people.length },
          ['member', 'members'],
          `from ${org}`,
        )
      }
      onDone={async () => {
        onDone()
        await queryClient.invalidateQueries({ queryKey: orgMembersKey(org) })
        refreshPage()
      }}
    >
      <p>To add them back, add them to their teams again.</p>
    </RemovalButton>
  )
}

/** Button that removes a person from an organization and all its teams. */
function RemoveMemberButton({ org, username }: { org: string; username: string }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <RemovalButton
      label="Remove"
      name={`Remove ${username}`}
      size="small"
      target={{ kind: 'organization', org, username }}
      title={`Remove ${username} from ${org}?`}
      confirm="Remove member"
      done={`Removed ${username} from ${org}`}
      onDone={async () => {
        await queryClient.invalidateQueries({ queryKey: orgMembersKey(org) })
        refreshPage()
      }}
    >
      <p>To add them back, add them to their teams again.</p>
    </RemovalButton>
  )
}
