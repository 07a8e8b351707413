import { given } from '../person';

export * from '../person';

export const run = given('RUN');
export const group = given('GROUP');
export const page = given('PAGE');
