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

/** What a team may do in its repositories: everything, or a choice for each part. */
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
        <FormControl.Label>Chosen for each part</FormControl.Label>
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
          Everything in every part, and the settings and collaborators of the repositories.
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
