'use client'
import { type ReactNode, useId } from 'react'
import { ChoiceGroup } from '@/app/_components/fields'
import { FormControl, Radio } from '@/app/_components/primer'
import { everyUnit } from '@/server/access/units'
import type { PermissionDraft } from './permission-draft'
import { UnitMatrix } from './unit-matrix'

interface PermissionFieldsProps {
  draft: PermissionDraft
  saved?: PermissionDraft
  onChange: (draft: PermissionDraft) => void
}

/** Fields for a team's access to its repositories: administrator access or one mode for each unit. */
export function PermissionFields({ draft, saved, onChange }: PermissionFieldsProps): ReactNode {
  const name = useId()
  const { administrator } = draft
  return (
    <ChoiceGroup legend="Access to the team’s repositories">
      <FormControl>
        <Radio
          name={name}
          value="parts"
          checked={!administrator}
          onChange={() => onChange({ ...draft, administrator: false })}
        />
        <FormControl.Label>Custom</FormControl.Label>
      </FormControl>
      <FormControl>
        <Radio
          name={name}
          value="admin"
          checked={administrator}
          onChange={() => onChange({ ...draft, administrator: true })}
        />
        <FormControl.Label>Administrator access</FormControl.Label>
        <FormControl.Caption>
          Full access, including repository settings and collaborators.
        </FormControl.Caption>
      </FormControl>
      {administrator ? (
        <UnitMatrix draft={{ administrator, modes: everyUnit('admin') }} />
      ) : (
        <UnitMatrix draft={draft} saved={saved} onChange={onChange} />
      )}
    </ChoiceGroup>
  )
}
