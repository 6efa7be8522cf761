import { expect, type Page } from '@playwright/test'

/** Waits until the page is told what happens; it says nothing while it is. */
export const isLive = (page: Page): Promise<void> => expect(page.locator('[data-live="live"]')).toBeAttached()
