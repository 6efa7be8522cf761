'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { DangerItem, DangerZone } from '@/app/_components/danger-zone'
import { TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { SaveForm } from '@/app/_components/save-form'
import { RemovalButton } from '@/app/_features/removals/removal-button'
import { orgPath, teamPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Team } from '@/server/teams/schema'
import { scopeLabels, TeamScopeFields } from './team-scope-fields'

// A saved team always has a name. The API ignores an empty name in an edit, so the form rejects it.
const loadTeamFields = async () =>
  (await import('@/server/teams/schema')).CreateTeamOption.pick({
    name: true,
    description: true,
    includes_all_repositories: true,
    can_create_org_repo: true,
  })

const fieldsOf = ({ name, description, includes_all_repositories, can_create_org_repo }: Team) => ({
  name,
  description,
  includes_all_repositories,
  can_create_org_repo,
})

const labels = {
  name: 'Name',
  description: 'Description',
  includes_all_repositories: scopeLabels.all.label,
  can_create_org_repo: scopeLabels.create.label,
}

export function TeamForm({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  const edit = useSaveForm({
    schema: loadTeamFields,
    saved: fieldsOf(team),
    labels,
    save: async change => {
      const now = await trpc.teams.save.mutate({ id: team.id, ...change })
      toast.success(`Saved the team ${now.name}`)
      if (now.name !== team.name) router.replace(teamPath(team.organization.name, now.name, 'settings'))
      return fieldsOf(now)
    },
  })
  const isOwners = team.permission === 'owner'

  return (
    <Panel title="Team">
      <SaveForm edit={edit} failed="The team couldn’t be saved" action="Save team" wide>
        <div className={`${form.form} ${form.narrow}`}>
          <TextField
            {...edit.text('name')}
            {...(isOwners ? { readOnly: true } : {})}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            caption={
              isOwners
                ? 'The Owners team always has this name.'
                : 'Use only letters, numbers, dashes, underscores, and dots. The old URL stops working when you rename a team.'
            }
          />
          <TextField {...edit.text('description')} optional autoComplete="off" />
        </div>
        {isOwners ? (
          <p className={form.hint}>
            Owners can access all of the organization’s repositories and create new ones.
          </p>
        ) : (
          <TeamScopeFields team={team} fields={edit.form} />
        )}
      </SaveForm>
    </Panel>
  )
}

export function DeleteTeamSection({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  if (team.permission === 'owner') {
    return (
      <DangerZone>
        <DangerItem title="Delete the team">
          <p>The Owners team can’t be deleted because every organization needs owners.</p>
        </DangerItem>
      </DangerZone>
    )
  }
  return (
    <DangerZone>
      <DangerItem title="Delete the team">
        <div className={form.form}>
          <p>
            Members will lose any access they have only through this team. Anyone who isn’t in another team
            will be removed from the organization and lose collaborator access to its repositories.
            Repositories won’t be deleted.
          </p>
          <div className={form.actions}>
            <RemovalButton
              label={`Delete ${team.name}`}
              target={{ kind: 'deletedTeam', id: team.id }}
              title={`Delete the team ${team.name}?`}
              confirm="Delete team"
              typedName={team.name}
              done={`Deleted the team ${team.name}`}
              onDone={() => {
                router.push(orgPath(team.organization.name, 'teams'))
                refreshPage()
              }}
            >
              <p>Repositories aren’t deleted. This can’t be undone.</p>
            </RemovalButton>
          </div>
        </div>
      </DangerItem>
    </DangerZone>
  )
}
