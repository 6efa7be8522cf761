'use client'
import type { ReactNode } from 'react'
import { type Control, type UseFormRegister, useWatch } from 'react-hook-form'
import { CheckField } from '@/app/_components/fields'
import { AffectedPeople } from '@/app/_features/teams/permissions/affected-people'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Team } from '@/server/teams/schema'

/** What a team reaches beside its permissions, as its forms say it. */
export const scopeLabels = {
  all: {
    label: 'All repositories of the organization',
    caption: 'Those there are now, and every one made later.',
  },
  create: {
    label: 'Members may create repositories in the organization',
    caption: 'Whoever creates one administers it.',
  },
} as const

interface ScopeFields {
  name: string
  includes_all_repositories?: boolean | undefined
  can_create_org_repo?: boolean | undefined
}

interface TeamScopeFieldsProps {
  team: Team
  fields: { control: Control<ScopeFields>; register: UseFormRegister<ScopeFields> }
}

/** Whether a team has all repositories and may create more; before it gets all of them, who would gain by that. */
export function TeamScopeFields({ team, fields }: TeamScopeFieldsProps): ReactNode {
  const { id, permission, units_map } = team
  const all = useWatch({ control: fields.control, name: 'includes_all_repositories' })
  const gaining = { id, permission, includes_all_repositories: true, expected: { permission, units_map } }
  return (
    <>
      <CheckField
        {...fields.register('includes_all_repositories')}
        defaultChecked={team.includes_all_repositories}
        label={scopeLabels.all.label}
        caption={
          team.includes_all_repositories
            ? 'When this is switched off, the team keeps what it has and gets no new ones.'
            : scopeLabels.all.caption
        }
      />
      {all && !team.includes_all_repositories ? (
        <AffectedPeople org={team.organization.name} change={gaining} onStale={refreshPage} />
      ) : null}
      <CheckField
        {...fields.register('can_create_org_repo')}
        defaultChecked={team.can_create_org_repo}
        {...scopeLabels.create}
      />
    </>
  )
}
