import { expect, type Page } from '@playwright/test'

/** Waits until the page gets live updates. It shows no indicator then, so this checks an attribute. */
export const isLive = (page: Page): Promise<void> => expect(page.locator('[data-live="live"]')).toBeAttached()
