'use client'
import type { ReactNode } from 'react'
import { Button, Radio } from '@/app/_components/primer'
import { type Choice, type Choices, sameForAll } from './chosen-scopes'
import styles from './scope-matrix.module.css'
import { categoryWords, type OfferedCategory } from './scope-words'

const levels: { choice: Choice; words: string }[] = [
  { choice: 'none', words: 'None' },
  { choice: 'read', words: 'Read' },
  { choice: 'write', words: 'Read and write' },
]

interface ScopeMatrixProps {
  categories: readonly OfferedCategory[]
  choices: Choices
  onChange: (choices: Choices) => void
}

/** One row for each part of the product, one choice in each row. */
export function ScopeMatrix({ categories, choices, onChange }: ScopeMatrixProps): ReactNode {
  return (
    <div className={styles.matrix}>
      <div className={styles.all}>
        <span className={styles.allWords}>Set all to</span>
        {levels.map(({ choice, words }) => (
          <Button key={choice} size="small" onClick={() => onChange(sameForAll(categories, choice))}>
            {words}
          </Button>
        ))}
      </div>
      {categories.map(category => (
        <fieldset key={category} className={styles.row}>
          <legend className={styles.legend}>{categoryWords[category].name}</legend>
          <span className={styles.about}>{categoryWords[category].about}</span>
          <span className={styles.levels}>
            {levels.map(({ choice, words }) => (
              // biome-ignore lint/a11y/noLabelWithoutControl: the kit's radio button is the control
              <label key={choice} className={styles.level}>
                <Radio
                  name={`scope-${category}`}
                  value={choice}
                  checked={choices[category] === choice}
                  onChange={() => onChange({ ...choices, [category]: choice })}
                />
                {words}
              </label>
            ))}
          </span>
        </fieldset>
      ))}
    </div>
  )
}
