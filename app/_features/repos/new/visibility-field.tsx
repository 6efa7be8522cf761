'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { ChoiceGroup } from '@/app/_components/choice-group'
import { FormControl, Radio } from '@/app/_components/primer'

interface VisibilityFieldProps {
  field: UseFormRegisterReturn
  value: 'public' | 'private'
  owner: string
  isMine: boolean
}

export function VisibilityField({ field, value, owner, isMine }: VisibilityFieldProps): ReactNode {
  return (
    <ChoiceGroup legend="Visibility">
      <FormControl>
        <Radio {...field} value="public" checked={value === 'public'} />
        <FormControl.Label>Public</FormControl.Label>
        <FormControl.Caption>
          Everyone who can see {isMine ? 'you' : owner} can see and clone it.
        </FormControl.Caption>
      </FormControl>
      <FormControl>
        <Radio {...field} value="private" checked={value === 'private'} />
        <FormControl.Label>Private</FormControl.Label>
        <FormControl.Caption>
          {isMine
            ? 'Only you and those you give access can see it.'
            : `Only owners of ${owner} and those who are given access can see it.`}
        </FormControl.Caption>
      </FormControl>
    </ChoiceGroup>
  )
}
