'use client'
import type { ReactNode } from 'react'
import { type Control, type UseFormRegister, useWatch } from 'react-hook-form'
import { CheckField } from '@/app/_components/fields'
import { AffectedPeople } from '@/app/_features/teams/permissions/affected-people'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Team } from '@/server/teams/schema'

/** Form labels of a team's access to all repositories and its right to create new ones. */
export const scopeLabels = {
  all: {
    label: 'All repositories in the organization',
    caption: 'All current and future repositories.',
  },
  create: {
    label: 'Members can create repositories in the organization',
    caption: 'Members become admins of repositories they create.',
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

/**
 * Fields for whether a team has all repositories and can create more. Lists who would gain access before all
 * repositories are added.
 */
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
            ? 'If you turn this off, the team keeps its current repositories but doesn’t get new ones.'
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
